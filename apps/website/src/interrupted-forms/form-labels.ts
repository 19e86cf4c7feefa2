/** The labels of form fields, and whether a field has several lines. */
const FIELDS: Readonly<Record<string, { readonly label: string; readonly long?: true }>> = {
  content: { label: 'Your comment', long: true },
  title: { label: 'Title' },
  description: { label: 'Description', long: true },
  alt_text: { label: 'Alternative text', long: true },
  tags: { label: 'Tags' },
  details: { label: 'Details', long: true },
  bio: { label: 'About you', long: true },
  email: { label: 'Email' },
  username: { label: 'Username' },
  login: { label: 'Username' },
  name: { label: 'Name' },
  hash: { label: 'Hash' },
  reason: { label: 'Reason' },
  password: { label: 'Password' },
  current_password: { label: 'Current password' },
};

/** The purpose of a form, by its path. */
const PURPOSES: readonly (readonly [path: RegExp, purpose: string])[] = [
  [/\/comments$/, 'your comment'],
  [/\/vote$/, 'your vote'],
  [/\/(?:un)?follow$/, 'following or unfollowing'],
  [/^\/reports/, 'your report'],
  [/^\/upload/, 'your post'],
  [/^\/register$/, 'your new account'],
  [/^\/login/, 'your login'],
  [/^\/settings\/tokens$/, 'your new token'],
  [/^\/settings/, 'your settings'],
  [/\/(?:delete|revoke|end)$/, 'your deletion'],
  [/\/(?:edit|order|media)$/, 'your changes'],
  [/^\/moderation/, 'your decision'],
];

/** How to show a filled field: its label, and whether it needs several lines. Null if it isn't shown. */
export function fieldLabelOf(name: string, value: string): { label: string; long: boolean } | null {
  const known = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (known) return { label: known.label, long: known.long ?? value.includes('\n') };
  // Choices, numbers and slugs are not shown; typed text is.
  if (!/\s/.test(value)) return null;
  const words = name.replace(/[._\d]+/g, ' ').trim();
  return { label: words === '' ? 'Text' : words[0]!.toUpperCase() + words.slice(1), long: /\n/.test(value) };
}

/** The purpose of a form with the given `action`, as the end of a sentence. */
export function formPurpose(action: string): string {
  const [path = ''] = action.split(/[?#]/, 1);
  return PURPOSES.find(([pattern]) => pattern.test(path))?.[1] ?? 'your form';
}
