// Adds up vitest's JSON reports: node scripts/count-tests.mjs FAILED_STEPS REPORT...
import { readFileSync } from 'node:fs';

const [failedSteps, ...files] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const file of files) {
  const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(readFileSync(file, 'utf8'));
  passed += numPassedTests;
  failed += success ? 0 : Math.max(numFailedTests, numFailedTestSuites, 1);
}
const steps = Number(failedSteps);
if (steps > 0) console.log(`${steps} steps failed`);
console.log(`${passed} passed, ${Math.max(failed, steps)} failed`);
process.exitCode = failed > 0 || steps > 0 || passed === 0 ? 1 : 0;
