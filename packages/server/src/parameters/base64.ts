const STANDARD = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const URL_SAFE = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2}(?:==)?|[A-Za-z0-9_-]{3}=?)?$/;

/** The UTF-8 text of canonical base64 in the standard or the URL alphabet; `undefined` when it is anything else. */
export function decodeBase64(text: string): string | undefined {
  const encoding = STANDARD.test(text) ? 'base64' : URL_SAFE.test(text) ? 'base64url' : undefined;
  if (encoding === undefined) return undefined;
  const bytes = Buffer.from(text, encoding);
  if (bytes.toString(encoding).replace(/=+$/, '') !== text.replace(/=+$/, '')) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
