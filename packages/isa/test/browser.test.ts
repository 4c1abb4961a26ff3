import { expect, it } from 'vitest';
import { bundleForBrowser } from './support/browser-bundle.js';

const MAX_BYTES = 1_500_000;

it('fits into a web page: one minified file under 1.5 MB without imports, Buffer or process', async () => {
  const code = new TextDecoder().decode(await bundleForBrowser());
  expect(code.length).toBeGreaterThan(300_000);
  expect(code.length).toBeLessThan(MAX_BYTES);
  // Methods and sentences may have the same words.
  const unwanted = /["']node:[a-z]|\bimport\s*["'({*]|(?<![.#\w])(?:Buffer|process|require)(?:\.\w|\()/g;
  expect(Array.from(code.matchAll(unwanted), ({ index }) => code.slice(index - 40, index + 40))).toEqual([]);
});
