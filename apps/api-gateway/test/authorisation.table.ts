import { randomBytes } from 'node:crypto';
import {
  anyAccount,
  anyAccountBut,
  anyone,
  onlyAdmin,
  onlyGuest,
  onlyOwner,
  onlyOwnerOfPrivate,
  onlyOwnerSees,
  onlyStaff,
  ownerAndStaff,
  ownerAndStaffSee,
  row,
  unlessGuest,
  unlessLimited,
  withKey,
  withOwner,
  type Row,
} from './authorisation.rows';
import { PASSWORD } from './gateway';

const RULING = { status: 'nsfw', reason: 'Skin.' };

const PROOF = { current_password: PASSWORD };

const COMMENT = { content: 'What a light!' };

const freshName = (): string => `fresh_${randomBytes(6).toString('hex')}`;

const VOTE_ON_POST: readonly Row[] = [
  anyAccount('own post'),
  anyAccount('own hidden post'),
  onlyOwnerOfPrivate('own private post', 200),
  withKey(anyAccount('own private post')),
];

const VOTE_ON_COMMENT: readonly Row[] = [
  anyAccount("own comment on another user's post"),
  onlyOwnerOfPrivate('comment on own private post', 200),
];

/** Who may do what: one entry for each operation of docs/openapi.json, by its operationId. */
export const TABLE: Readonly<Record<string, readonly Row[]>> = {
  getOpenApi: [anyone('nothing')],

  register: [anyone('nothing', 201, () => ({ username: freshName(), password: PASSWORD }))],
  login: [
    unlessGuest(
      anyone('own account', 200, ({ username }) => ({ login: username, password: PASSWORD })),
      422,
    ),
  ],
  // No login is pending, and nobody has a passkey that could be verified.
  completeLogin: [anyone('nothing', 422, { pending_login: 'unknown', code: '123456' })],
  getSecondFactorOptions: [anyone('nothing', 422, { pending_login: 'unknown' })],
  getPasskeyLoginOptions: [anyone('nothing')],
  loginWithPasskey: [
    anyone('nothing', 422, {
      passkey_id: 'AAAA',
      passkey_client_data: 'AAAA',
      passkey_authenticator_data: 'AAAA',
      passkey_signature: 'AAAA',
    }),
  ],
  // The site of these cases is open to everyone, so that it accepts no applications.
  applyForAccount: [
    anyone('nothing', 403, () => ({ username: freshName(), password: PASSWORD, application: 'Please.' })),
  ],
  // The site of these cases requires no proofs.
  getProofOfWork: [{ ...anyone('nothing', 404), query: () => 'purpose=register' }],
  getSite: [anyone('nothing')],
  listInvites: [onlyStaff('nothing')],
  createInvite: [onlyStaff('nothing', 201, { uses: 3 })],
  getInvite: [onlyStaff('own invite')],
  revokeInvite: [onlyStaff('own invite')],
  listApplications: [onlyStaff('nothing')],
  decideApplication: [onlyStaff('application', 200, { decision: 'accept' })],
  // Without SMTP, which the tests don't have.
  requestPasswordReset: [anyone('nothing', 403)],
  completePasswordReset: [anyone('nothing', 422, { code: 'unknown', password: PASSWORD })],
  verifyEmail: [anyone('nothing', 422, { code: 'unknown' })],
  sendEmailVerification: [anyAccount('nothing', 403)],
  logout: [anyAccount('nothing')],
  // The gateway of these cases has no identity provider.
  startProviderLogin: [anyone('no provider', 404)],
  finishProviderLogin: [anyone('no provider', 404)],
  registerWithProvider: [anyone('no provider', 404)],
  endSessionsByProvider: [anyone('no provider', 404)],
  listIdentities: [anyAccount('nothing')],
  adoptGuestUploads: [anyAccount('nothing', 422, { guest_token: 'vtg_unknown' })],
  linkProvider: [anyAccount('nothing', 422, { provider: 'none', current_password: PASSWORD })],
  unlinkProvider: [unlessGuest(onlyOwner('own identity', 404, { current_password: PASSWORD }), 403)],

  getMe: [anyAccount('nothing')],
  updateMe: [anyAccount('nothing', 200, { bio: 'Hello.' })],
  changePassword: [
    anyAccount('nothing', 200, { current_password: PASSWORD, password: 'another long password' }),
  ],

  deleteMe: [anyAccount('nothing', 200, { password: PASSWORD })],

  getSecurity: [anyAccount('nothing')],
  listLogins: [anyAccount('nothing')],
  beginAuthenticatorApp: [anyAccount('nothing', 200, PROOF)],
  confirmAuthenticatorApp: [anyAccount('nothing', 422, { code: '123456' })],
  removeAuthenticatorApp: [anyAccount('nothing', 404, PROOF)],
  beginPasskey: [anyAccount('nothing', 200, PROOF)],
  addPasskey: [
    anyAccount('nothing', 422, {
      name: 'Phone',
      passkey_id: 'AAAA',
      passkey_client_data: 'AAAA',
      passkey_attestation: 'AAAA',
    }),
  ],
  renamePasskey: [onlyOwner('own passkey', 404, { name: 'Old phone' })],
  removePasskey: [onlyOwner('own passkey', 404, PROOF)],
  replaceRecoveryCodes: [
    row('own passkey', { anonymous: 401, other: 422, owner: 200, moderator: 422, admin: 422 }, PROOF),
  ],

  listSessions: [anyAccount('nothing')],
  endSession: [onlyOwner('own session', 404, PROOF)],
  endOtherSessions: [anyAccount('nothing', 200, PROOF)],

  listTokens: [anyAccount('nothing')],
  createToken: [anyAccount('nothing', 201, { name: 'camera', current_password: PASSWORD })],
  getToken: [onlyOwner('own token', 404)],
  revokeCurrentToken: [anyAccount('nothing')],
  revokeToken: [onlyOwner('own token', 404)],

  listWebhooks: [anyAccount('nothing')],
  createWebhook: [anyAccount('nothing', 201, { url: 'https://receiver.invalid/' })],
  getWebhook: [onlyOwner('own webhook', 404)],
  updateWebhook: [
    onlyOwner('own webhook', 404, { active: false }),
    onlyOwner('own paused webhook', 404, { active: true }),
  ],
  deleteWebhook: [onlyOwner('own webhook', 404)],
  rotateWebhookSecret: [onlyOwner('own webhook', 404)],
  testWebhook: [
    withOwner(onlyOwner('own webhook', 404), 201),
    withOwner(onlyOwner('own paused webhook', 404), 422),
  ],
  listWebhookDeliveries: [onlyOwner('own webhook', 404)],
  getWebhookDelivery: [onlyOwner('own webhook', 404)],
  repeatWebhookDelivery: [
    onlyOwner('own webhook', 404),
    withOwner(onlyOwner('own paused webhook', 404), 422),
  ],

  listCollections: [anyAccount('nothing')],
  createCollection: [anyAccount('nothing', 201, { name: 'Fog' })],
  // Guests have no collections.
  getCollection: [
    unlessGuest(onlyOwnerSees('own private collection'), 404),
    unlessGuest(anyone('own hidden collection'), 404),
  ],
  updateCollection: [
    onlyOwner('own private collection', 404, { name: 'Fog' }),
    onlyOwner('own hidden collection', 403),
  ],
  deleteCollection: [onlyOwner('own private collection', 404), onlyOwner('own hidden collection', 403)],
  listCollectionPosts: [
    unlessGuest(onlyOwnerSees('own private collection'), 404),
    unlessGuest(anyone('own hidden collection'), 404),
  ],
  savePost: [onlyOwner('own private collection', 404), onlyOwner('own hidden collection', 403)],
  unsavePost: [onlyOwner('own private collection', 404), onlyOwner('own hidden collection', 403)],

  createUploadTicket: [anyAccount('nothing', 201)],
  listGuestPosts: [onlyGuest('own post')],
  listGuestMedia: [onlyGuest('own media')],
  deleteGuest: [onlyGuest('own media')],

  uploadMedia: [anyAccount('nothing', 201)],
  // This site does not offer it.
  uploadMediaByUrl: [anyAccount('nothing', 403)],
  listMedia: [anyone('own media')],
  getMedia: [anyone('own media'), ownerAndStaffSee('own rejected media')],
  updateMedia: [onlyOwner('own media', 403, { title: 'Mine' })],
  deleteMedia: [onlyOwner('own media', 403)],

  listOwnMedia: [anyAccount('own media')],
  changeOwnMedia: [anyAccount('own media', 200, { media: ['aaaaaaa'], unlisted: true })],

  listPosts: [anyone('own post')],
  getPost: [
    anyone('own post'),
    anyone('own hidden post'),
    ownerAndStaffSee('own private post'),
    withKey(anyone('own private post')),
    ownerAndStaffSee('own rejected post'),
  ],
  getPostStatistics: [onlyOwner('own post', 403), onlyOwnerOfPrivate('own private post', 200)],
  getPostNeighbours: [
    anyone('own post'),
    ownerAndStaffSee('own private post'),
    withKey(anyone('own private post')),
  ],
  // Only the caller's own media are allowed.
  createPost: [
    row(
      'own media',
      { anonymous: 401, other: 422, owner: 201, moderator: 422, admin: 422 },
      ({ media_id }) => ({ media_ids: [media_id] }),
    ),
  ],
  updatePost: [
    onlyOwner('own post', 403, { title: 'Mine' }),
    onlyOwnerOfPrivate('own private post', 200, { title: 'Mine' }),
    onlyOwnerOfPrivate('own rejected post', 200, { title: 'Mine' }),
  ],
  deletePost: [
    onlyOwner('own post', 403),
    onlyOwnerOfPrivate('own private post', 200),
    onlyOwnerOfPrivate('own rejected post', 200),
  ],
  addPostMedia: [onlyOwner('own post and a media item', 403, ({ media_id }) => ({ media_ids: [media_id] }))],
  removePostMedia: [onlyOwner('media of own post', 403)],
  upvotePost: VOTE_ON_POST,
  downvotePost: VOTE_ON_POST,
  setUpvotePost: VOTE_ON_POST,
  setDownvotePost: VOTE_ON_POST,
  removeUpvotePost: VOTE_ON_POST,
  removeDownvotePost: VOTE_ON_POST,

  listComments: [
    anyone('own post'),
    anyone('own hidden post'),
    ownerAndStaffSee('own private post'),
    ownerAndStaffSee('own rejected post'),
  ],
  createComment: [
    unlessLimited(anyAccount('own post', 201, COMMENT), { other: 403 }),
    unlessLimited(anyAccount('own hidden post', 201, COMMENT), { other: 403 }),
    onlyOwnerOfPrivate('own private post', 201, COMMENT),
    withKey(unlessLimited(anyAccount('own private post', 201, COMMENT), { other: 403 })),
  ],
  getComment: [
    anyone("own comment on another user's post"),
    anyone("another user's comment on own post"),
    ownerAndStaffSee('comment on own private post'),
  ],
  updateComment: [
    unlessLimited(onlyOwner("own comment on another user's post", 403, COMMENT), { owner: 403 }),
    // The caller owns the post, and someone else has written the comment.
    withOwner(onlyOwner("another user's comment on own post", 403, COMMENT), 403),
    onlyOwnerOfPrivate('comment on own private post', 200, COMMENT),
    withKey(onlyOwner('comment on own private post', 403, COMMENT)),
  ],
  // The author, the owner of the post and staff.
  deleteComment: [
    ownerAndStaff("own comment on another user's post"),
    ownerAndStaff("another user's comment on own post"),
  ],
  upvoteComment: VOTE_ON_COMMENT,
  downvoteComment: VOTE_ON_COMMENT,
  setUpvoteComment: VOTE_ON_COMMENT,
  setDownvoteComment: VOTE_ON_COMMENT,
  removeUpvoteComment: VOTE_ON_COMMENT,
  removeDownvoteComment: VOTE_ON_COMMENT,

  listTags: [anyone('nothing')],
  getTag: [anyone('tag')],
  followTag: [anyAccount('tag')],
  unfollowTag: [anyAccount('tag')],
  listFollowedPosts: [anyAccount('nothing')],
  listFollowedTags: [anyAccount('nothing')],

  searchUsers: [{ ...anyone('nothing'), query: () => 'q=ada' }],
  suggest: [{ ...anyone('nothing'), query: () => 'q=ada' }],
  getUser: [unlessGuest(anyone('own account'), 404)],
  listUserComments: [unlessGuest(anyone('own account'), 404)],
  listUserPosts: [unlessGuest(anyone('own account'), 404)],
  listUserMedia: [unlessGuest(anyone('own account'), 404)],
  // The owner of the account can't follow it.
  followUser: [anyAccountBut('own account', 422)],
  unfollowUser: [anyAccountBut('own account', 422)],
  blockUser: [anyAccountBut('own account', 422)],
  unblockUser: [anyAccountBut('own account', 422)],
  muteUser: [anyAccountBut('own account', 422)],
  unmuteUser: [anyAccountBut('own account', 422)],
  listBlocks: [anyAccount('nothing')],
  listMutes: [anyAccount('nothing')],
  listNotifications: [anyAccount('nothing')],
  readNotifications: [anyAccount('nothing')],
  readNotification: [onlyOwner('own notification', 404)],
  getNotificationSettings: [anyAccount('nothing')],
  updateNotificationSettings: [anyAccount('nothing', 200, { follow: false })],
  listFollowers: [unlessGuest(anyone('own account'), 404)],
  listFollowing: [unlessGuest(anyone('own account'), 404)],

  createReport: [
    anyAccount('own media', 201, ({ slug }) => ({ type: 'media', target: slug, reason: 'spam' })),
    // Users can't report items that they can't see.
    row(
      'own private post',
      { anonymous: 401, other: 422, owner: 201, moderator: 201, admin: 201 },
      ({ slug }) => ({ type: 'post', target: slug, reason: 'spam' }),
    ),
  ],
  getReport: [onlyOwner('own report', 404)],
  listModerationQueue: [onlyStaff('nothing')],
  ruleOnMedia: [onlyStaff('own media', 200, RULING), onlyStaff('own rejected media', 200, RULING)],
  ruleOnPost: [onlyStaff('own post', 200, RULING), onlyStaff('own private post', 200, RULING)],
  getModeratedUser: [unlessGuest(onlyStaff('own account'), 403)],
  ruleOnUser: [
    onlyStaff('own account', 200, { state: 'limited', reason: 'Spam.' }),
    row(
      'account of a moderator',
      { anonymous: 401, other: 403, owner: 403, moderator: 403, admin: 200 },
      { state: 'suspended', reason: 'Spam.' },
    ),
  ],
  changeAccountQuota: [onlyAdmin('own account', 200, { files: 5, ...PROOF })],
  dismissReports: [onlyStaff('reported media')],
  listBannedHashes: [onlyStaff('nothing')],
  banHash: [onlyStaff('nothing', 201)],
  getBannedHash: [onlyStaff('banned hash')],
  unbanHash: [onlyStaff('banned hash')],
  listDecisions: [onlyStaff('nothing')],

  listAuditLog: [onlyAdmin('nothing')],
  listPeople: [onlyAdmin('nothing')],
  getPerson: [onlyAdmin('account of a moderator')],
  changeRole: [onlyAdmin('account of a moderator', 200, { role: 'user', ...PROOF })],
  deletePerson: [
    onlyAdmin('account of a moderator', 200, ({ username }) => ({ username, reason: 'Spam.', ...PROOF })),
    onlyAdmin('account of an admin', 422, ({ username }) => ({ username, reason: 'Spam.', ...PROOF })),
  ],
  createResetLink: [onlyAdmin('account of a moderator', 200, PROOF)],
  removeSecondFactorsOf: [onlyAdmin('account of a moderator', 200, PROOF)],
  listSessionsOf: [onlyAdmin('account of a moderator')],
  endSessionsOf: [onlyAdmin('account of a moderator')],
  endSessionOf: [onlyAdmin("another member's session")],
  listTokensOf: [onlyAdmin('account of a moderator')],
  listSettings: [onlyAdmin('nothing')],
  getWork: [onlyAdmin('nothing')],
  getStorage: [onlyAdmin('nothing')],
  replayDeadLetters: [onlyAdmin('reported queue', 202, { queue: 'upload-service.media.deleted' })],
  revokeTokenOf: [onlyAdmin("another member's token")],
};
