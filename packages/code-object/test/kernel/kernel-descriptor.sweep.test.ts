// The same tests; with DOORBELL_SWEEP=1 they take every processor.
import './kernel-descriptor.test.js';
