/** True when the full counts run, rather than those of every commit. */
export const IS_LONG: boolean = process.env['CAIRN_LONG'] !== undefined && process.env['CAIRN_LONG'] !== '';

/** How long one property may take, milliseconds. */
export const PROPERTY_TIMEOUT_MS: number = IS_LONG ? 3_600_000 : 60_000;
