/** The same comparisons on more inputs and in every variant: see IS_SWEEP there. */
import './c-witness.test.js';
