import { isCodedError } from '@cairn/errors';
import type { Address, Attachment, Email } from 'postal-mime';
import { ExtractionLimitError } from '../extraction-error.ts';
import type { FormatReader, Metadata, ReadContext } from '../format-reader.ts';
import { readHtml } from './html.ts';
import { parseMail } from './mime-tree.ts';

/** EML: the body, plain when there is a plain one, then each attachment's name and text. The title is the subject. */
export const readMail: FormatReader = async ({ bytes }, context) => {
  const email = await parseMail(bytes);
  await readBody(email, context);
  const metadata = toMetadata(email);
  const unread = await readAttachments(email.attachments, context);
  if (unread.length > 0) metadata['unreadAttachments'] = unread;
  return { title: email.subject, metadata };
};

async function readBody({ text, html }: Email, context: ReadContext): Promise<void> {
  if (text?.trim()) context.text.appendVerbatim(text.trim().replaceAll(/\r\n?/g, '\n'));
  else if (html) {
    const bytes = new TextEncoder().encode(html);
    await readHtml({ bytes, contentType: 'text/html', charset: 'utf-8' }, context);
  }
}

/** An attachment that cannot be read does not cost the mail; one that goes over a limit does. */
async function readAttachments(attachments: readonly Attachment[], context: ReadContext): Promise<string[]> {
  const { maxAttachments } = context.limits;
  if (attachments.length > maxAttachments) throw new ExtractionLimitError('attachments', maxAttachments, 'attachments');
  const unread: string[] = [];
  for (const attachment of attachments) {
    const filename = attachment.filename ?? '';
    context.text.append(filename);
    context.text.endParagraph();
    const reason = await readAttachment(attachment, filename, context);
    if (reason !== undefined) unread.push(`${filename}: ${reason}`);
  }
  return unread;
}

async function readAttachment(
  { content, mimeType }: Attachment,
  filename: string,
  context: ReadContext,
): Promise<string | undefined> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  const start = context.text.length;
  try {
    const { title, reason } = await context.readNested({ bytes, filename, declaredType: mimeType });
    if (title) context.text.insertParagraph(start, title);
    return reason;
  } catch (error) {
    if (error instanceof ExtractionLimitError || !isCodedError(error)) throw error;
    return 'malformed';
  }
}

function toMetadata({ from, to, cc, date, messageId, attachments }: Email): Metadata {
  const metadata: Metadata = {};
  const addresses = (list: readonly Address[]): string[] => list.flatMap(toNames);
  const facts: [string, string[]][] = [
    ['creator', addresses(from ? [from] : [])],
    ['recipient', addresses([...(to ?? []), ...(cc ?? [])])],
    ['created', date ? [date] : []],
    ['identifier', messageId ? [messageId] : []],
    ['attachments', attachments.map(({ filename }) => filename ?? '')],
  ];
  for (const [name, values] of facts) {
    if (values.length > 0)
      metadata[name] = values.length === 1 && name !== 'attachments' ? (values[0] as string) : values;
  }
  return metadata;
}

function toNames(address: Address): string[] {
  if (address.group !== undefined) return address.group.flatMap(toNames);
  return [address.name ? `${address.name} <${address.address}>` : address.address];
}
