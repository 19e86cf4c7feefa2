import type { ClaimedMail } from './mail.types';

/** A mail as text and as simple HTML. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const MAX_SUBJECT = 120;
/** Control characters except the line feed, and characters that change the direction of text. */
const UNSAFE = /(?!\n)[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** What a mail says; `link` is the address of its single-use link. `site` is the address of the website. */
export function mailText(
  { kind, username, notice }: Pick<ClaimedMail, 'kind' | 'username' | 'notice'>,
  site: string,
  link: string | null,
): MailText {
  const { host } = new URL(site);
  switch (kind) {
    case 'verify-email':
      return write(site, username, `Confirm your email address for ${host}`, [
        `Someone has entered this email address for the account “${username}” on ${host}.`,
        'If it was you, open this page within 24 hours and confirm the address:',
        { link: link ?? site },
        'If it was not you, ignore this mail. Without your confirmation the address is not used.',
      ]);
    case 'reset-password':
      return write(site, username, `Set a new password for ${host}`, [
        `Someone has asked for a new password for your account “${username}” on ${host}.`,
        'If it was you, open this page within 30 minutes and choose a password:',
        { link: link ?? site },
        'If it was not you, ignore this mail. Your password stays as it is.',
      ]);
    case 'notice': {
      const message = clean(notice ?? '');
      return write(site, username, `${host}: ${firstSentence(message)}`, [
        `This is about your account “${username}” on ${host}.`,
        ...message.split(/\n+/).filter((line) => line.trim() !== ''),
      ]);
    }
  }
}

type Paragraph = string | { readonly link: string };

function write(site: string, username: string, subject: string, paragraphs: readonly Paragraph[]): MailText {
  const end = `This mail was sent because this address belongs to the account “${clean(username)}” on ${site}`;
  const all = [...paragraphs, end];
  const text = all.map((part) => (typeof part === 'string' ? clean(part) : part.link)).join('\n\n');
  const html = all
    .map((part) => (typeof part === 'string' ? escapeHtml(clean(part)) : anchor(part.link)))
    .map((part) => `<p>${part}</p>`)
    .join('\n');
  return {
    subject: shorten(clean(subject).replaceAll('\n', ' '), MAX_SUBJECT),
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="en"><meta charset="utf-8"><body>\n${html}\n</body></html>\n`,
  };
}

const anchor = (link: string): string => `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`;

const clean = (text: string): string => text.replace(/\r\n?/g, '\n').replace(UNSAFE, '');

const firstSentence = (text: string): string =>
  /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.split('\n')[0] ?? '';

/** At most `most` characters, none of them cut in two. */
export const shorten = (text: string, most: number): string => {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
};

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
