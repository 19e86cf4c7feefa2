/** Names that visitors could mistake for the operators of the site. */
const BUILT_IN = [
  'admin',
  'administrator',
  'moderator',
  'support',
  'root',
  'system',
  'vitrine',
  'guest',
  'api',
  'help',
  'security',
  'abuse',
];

/** Whether a username is one of the built-in reserved names or of `added`, ignoring case. */
export function reservedUsernames(added: readonly string[]): (username: string) => boolean {
  const reserved = new Set([...BUILT_IN, ...added].map((name) => name.toLowerCase()));
  return (username) => reserved.has(username.toLowerCase());
}
