/** The chapters of the API, in the order of the document. */
export const TAGS = [
  { name: 'media', description: 'Files, one by one.' },
  { name: 'posts', description: 'Pages that group media.' },
  { name: 'comments', description: 'What people say about posts.' },
  {
    name: 'votes',
    description: 'Upvotes and downvotes of posts and comments; voting again takes the vote back.',
  },
  { name: 'users', description: 'Accounts as others see them, and following.' },
  { name: 'tags', description: 'Words by which posts and media are found.' },
  { name: 'auth', description: 'Accounts and sessions.' },
  { name: 'me', description: 'One’s own account.' },
  { name: 'tokens', description: 'API tokens, made within a session.' },
  {
    name: 'guests',
    description: 'What the web site needs for uploads: tickets, and guests without an account.',
  },
  { name: 'reports', description: 'Telling the moderators.' },
  { name: 'moderation', description: 'For moderators and admins.' },
  { name: 'service', description: 'The API about itself.' },
] as const;
