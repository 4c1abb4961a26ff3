#!/usr/bin/env node
try {
  await import('../dist/cli.js');
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.message).includes('/dist/')) throw error;
  process.stderr.write('doorbell is not built yet: run "npm run build" in the repository.\n');
  process.exitCode = 3;
}
