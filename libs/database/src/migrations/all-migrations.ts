import type { Migration } from './migration';
import { core } from './0001-core';
import { busSchema } from './0002-bus';
import { failedMedia } from './0003-failed-media';
import { social } from './0004-social';
import { idempotency } from './0005-idempotency';
import { reports } from './0006-reports';
import { tagCounts } from './0007-tag-counts';
import { guests } from './0008-guests';
import { ticketIssuers } from './0009-ticket-issuers';
import { rulingsTakenBack } from './0010-rulings-taken-back';
import { waitingSince } from './0011-waiting-since';
import { processingTurns, uploadOverruns } from './0012-processing-turns';
import { contentAndRulings } from './0013-content-and-rulings';
import { accounts, emailNotUnique, tokenScopesValid } from './0014-accounts';
import { fullySeen } from './0015-fully-seen';
import { deletionKeys } from './0019-deletion-keys';
import { webhookEvents, webhookMediaEvents, webhooks } from './0020-webhooks';
import { commentEdits } from './0021-comment-edits';
import { nsfwUploads } from './0022-nsfw-uploads';
import { accountStates } from './0023-account-states';
import { registration } from './0024-registration';
import { feedRanks } from './0030-ranks';
import { blocksAndMutes } from './0031-blocks-and-mutes';
import { notifications } from './0032-notifications';
import { nsfwMarks } from './0033-nsfw-marks';
import { secondFactors } from './0034-second-factors';
import { loginHistory } from './0035-login-history';
import { mails } from './0036-mails';
import { identityProviders } from './0037-identity-providers';
import { quotas } from './0038-quotas';
import { auditLogSteps } from './0039-audit-log';
import { administration } from './0040-administration';
import { storageGrowth } from './0041-storage-growth';
import { storageKinds } from './0044-storage-kinds';
import { processSettings } from './0045-process-settings';
import { sharedOriginals } from './0047-shared-files';
import { variantRetention } from './0048-variant-retention';
import { alternatives } from './0049-alternatives';
import { cachePurges } from './0051-cache-purges';
import { unusedQueue } from './0053-unused-queue';
import { webhookTokens } from './0054-webhook-tokens';

/** Every step of the schema, in order. */
export const migrations: readonly Migration[] = [
  core,
  busSchema,
  failedMedia,
  social,
  idempotency,
  reports,
  tagCounts,
  guests,
  ticketIssuers,
  rulingsTakenBack,
  waitingSince,
  processingTurns,
  uploadOverruns,
  ...contentAndRulings,
  accounts,
  tokenScopesValid,
  emailNotUnique,
  fullySeen,
  deletionKeys,
  webhooks,
  webhookEvents,
  webhookMediaEvents,
  commentEdits,
  nsfwUploads,
  ...accountStates,
  registration,
  ...feedRanks,
  blocksAndMutes,
  notifications,
  nsfwMarks,
  secondFactors,
  loginHistory,
  mails,
  identityProviders,
  ...quotas,
  ...auditLogSteps,
  ...administration,
  ...storageGrowth,
  ...storageKinds,
  processSettings,
  ...sharedOriginals,
  ...variantRetention,
  alternatives,
  cachePurges,
  unusedQueue,
  ...webhookTokens,
];
