/** The same on a million pairs each. */
import './division.test.js';
