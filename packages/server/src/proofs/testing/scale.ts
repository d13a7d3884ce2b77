/** True when the proofs run with their full counts rather than those of every test run. */
export const LONG: boolean = process.env['CAIRN_LONG'] === '1';
