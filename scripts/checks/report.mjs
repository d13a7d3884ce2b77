/** Prints the faults of a check, one a line, and ends the process with 1 when there are any. */
export function report(check, faults) {
  for (const fault of faults) console.error(`${check}: ${fault}`);
  console.log(faults.length === 0 ? `${check}: in order` : `${check}: ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
