import { MIMEType } from 'node:util';

/** A content type in its parts, lower case. */
export interface ParsedContentType {
  readonly essence: string;
  readonly charset: string | undefined;
}

/** Takes a declared content type apart; `undefined` when there is none or it is malformed. */
export function parseContentType(declared: string | undefined): ParsedContentType | undefined {
  if (!declared) return undefined;
  try {
    const type = new MIMEType(declared);
    return { essence: type.essence, charset: type.params.get('charset')?.toLowerCase() };
  } catch {
    return undefined;
  }
}
