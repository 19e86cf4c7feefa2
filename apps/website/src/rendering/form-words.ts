/** What people call the fields of the site's forms, and whether a text may run over several lines. */
const FIELDS: Readonly<Record<string, { readonly label: string; readonly long?: true }>> = {
  content: { label: 'Your comment', long: true },
  title: { label: 'Title' },
  description: { label: 'Description', long: true },
  alt_text: { label: 'What it shows, for those who cannot see it', long: true },
  tags: { label: 'Tags' },
  details: { label: 'Details', long: true },
  bio: { label: 'About you', long: true },
  email: { label: 'E-mail' },
  username: { label: 'Username' },
  login: { label: 'Username' },
  name: { label: 'Name' },
  hash: { label: 'Hash' },
  reason: { label: 'Reason' },
  password: { label: 'Password' },
  current_password: { label: 'Current password' },
};

/** What a form was for, by the path that it goes to. */
const PURPOSES: readonly (readonly [path: RegExp, purpose: string])[] = [
  [/\/comments$/, 'your comment'],
  [/\/vote$/, 'your vote'],
  [/\/(?:un)?follow$/, 'your follow'],
  [/^\/reports/, 'your report'],
  [/^\/upload/, 'your post'],
  [/^\/register$/, 'your new account'],
  [/^\/login$/, 'your login'],
  [/^\/settings\/tokens$/, 'your new token'],
  [/^\/settings/, 'your settings'],
  [/\/(?:delete|revoke|end)$/, 'what you wanted to remove'],
  [/\/(?:edit|order|media)$/, 'your changes'],
  [/^\/moderation/, 'your decision'],
];

/** How to show a field that was typed in: its label, and whether it needs several lines. Null: not at all. */
export function fieldWords(name: string, value: string): { label: string; long: boolean } | null {
  const known = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (known) return { label: known.label, long: known.long ?? value.includes('\n') };
  // Of choices, numbers and slugs nothing is lost by not showing them; of words there is.
  if (!/\s/.test(value)) return null;
  const words = name.replace(/[._\d]+/g, ' ').trim();
  return { label: words === '' ? 'Text' : words[0]!.toUpperCase() + words.slice(1), long: /\n/.test(value) };
}

/** What a form that goes to `action` was for; the end of a sentence. */
export function formPurpose(action: string): string {
  const [path = ''] = action.split(/[?#]/, 1);
  return PURPOSES.find(([pattern]) => pattern.test(path))?.[1] ?? 'what you sent';
}
