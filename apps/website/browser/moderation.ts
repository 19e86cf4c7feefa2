import { enhanceForms } from './dom/forms';
import { confirmBans } from './moderation/bans';
import { PendingDecisions } from './moderation/pending-decisions';
import { enableKeys } from './moderation/keys';
import { enablePreviews } from './moderation/previews';

const decisions = new PendingDecisions();
enhanceForms('decision', {
  // `PendingDecisions` sends the form later.
  before: (form, submitter) => {
    if (submitter) decisions.decide(form, submitter);
    return false;
  },
});
enablePreviews();
confirmBans();
enableKeys(decisions);
