// Adds up vitest's JSON reports and names what failed: node scripts/count-tests.mjs FAILED_STEPS REPORT...
import { readFileSync } from 'node:fs';

const [failedSteps, ...files] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const file of files) {
  const { numPassedTests, numFailedTests, numFailedTestSuites, success, testResults } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  passed += numPassedTests;
  failed += success ? 0 : Math.max(numFailedTests, numFailedTestSuites, 1);
  for (const { name, status, message, assertionResults } of testResults) {
    const bad = assertionResults.filter((test) => test.status === 'failed');
    for (const test of bad) console.log(`FAILED: ${test.fullName}: ${shorten(test.failureMessages[0])}`);
    if (status === 'failed' && bad.length === 0) console.log(`FAILED: ${name}: ${shorten(message)}`);
  }
}
const steps = Number(failedSteps);
if (steps > 0) console.log(`${steps} steps failed`);
console.log(`${passed} passed, ${Math.max(failed, steps)} failed`);
process.exitCode = failed > 0 || steps > 0 || passed === 0 ? 1 : 0;

/** The first line of a message, of 300 letters at most. */
function shorten(message = '') {
  return message.split('\n', 1)[0].slice(0, 300);
}
