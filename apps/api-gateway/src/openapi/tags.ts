/** The chapters of the API, in the order of the document. */
export const TAGS = [
  { name: 'media', description: 'Images and videos.' },
  { name: 'posts', description: 'Shareable pages that group media.' },
  { name: 'comments', description: 'Comments on posts, and replies to them.' },
  {
    name: 'votes',
    description: 'Upvotes and downvotes on posts and comments. Voting again removes the vote.',
  },
  { name: 'users', description: 'Public profiles, and following users.' },
  { name: 'tags', description: 'Words that label posts and media.' },
  { name: 'collections', description: 'Saved posts, and collections of posts.' },
  { name: 'auth', description: 'Registration, login and sessions.' },
  { name: 'me', description: 'The caller’s own account.' },
  { name: 'tokens', description: 'API tokens. Managing them requires a session.' },
  {
    name: 'guests',
    description: 'Upload tickets, and guests without an account; used by the website.',
  },
  {
    name: 'webhooks',
    description: 'Events about your own items, sent to your server.',
  },
  { name: 'reports', description: 'Reports to the moderators.' },
  {
    name: 'moderation',
    description: 'Moderation queue, rulings and banned hashes; for moderators and admins.',
  },
  {
    name: 'admin',
    description: 'Accounts and the audit log; for admins. API tokens are not accepted.',
  },
  { name: 'service', description: 'Information about the API.' },
] as const;
