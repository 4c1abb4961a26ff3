/** The same on 65,536 triples. */
import './rounding.test.js';
