import { enhanceForms } from './dom/forms';
import { askBeforeBans } from './moderation/bans';
import { Desk } from './moderation/desk';
import { enableKeys } from './moderation/keys';
import { enablePreviews } from './moderation/previews';

const desk = new Desk();
enhanceForms('decision', {
  // The desk sends it when it is time.
  before: (form, submitter) => {
    if (submitter) desk.decide(form, submitter);
    return false;
  },
});
enablePreviews();
askBeforeBans();
enableKeys(desk);
