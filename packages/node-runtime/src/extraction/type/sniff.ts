const HTML = /^<(?:!doctype\s+html|html|head|body|title|script|h1|table|div|p)\b/i;
const HEADER_LINE =
  /^(?:from|to|cc|date|subject|message-id|mime-version|received|return-path|delivered-to|reply-to|content-type|x-[\w-]+):\s/i;

/** The type of a text that neither its sender nor its name tells: HTML, XML, JSON, a mail, or plain text. */
export function sniffTextType(text: string): string {
  const start = text.trimStart().slice(0, 1024);
  if (HTML.test(start)) return 'text/html';
  if (start.startsWith('<?xml')) return 'application/xml';
  if (isMail(text)) return 'message/rfc822';
  if (/^[{[]/.test(start) && isJson(text)) return 'application/json';
  return 'text/plain';
}

/** At least three lines of mail headers at the very start, folded ones aside, and one of them says from whom. */
function isMail(text: string): boolean {
  const lines = text
    .slice(0, 8192)
    .split(/\r?\n/)
    .filter((line) => !/^[ \t]/.test(line));
  const end = lines.findIndex((line) => !HEADER_LINE.test(line));
  const headers = end < 0 ? lines : lines.slice(0, end);
  return headers.length >= 3 && headers.some((line) => /^(?:from|received|return-path):/i.test(line));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
