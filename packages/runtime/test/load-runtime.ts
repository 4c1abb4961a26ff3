/** Loads what `openDevice` imports when it is called, so that no test pays for the transformation of those modules within its time-out. */
import '../src/api/open-device.js';
import '../src/core/runtime.js';
