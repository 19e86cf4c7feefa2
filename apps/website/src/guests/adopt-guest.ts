import { type VitrineClient, VitrineError } from '@vitrine/client';
import { pluralize } from '../components/words';
import type { Visit } from '../visits/visit';

/** Moves the uploads of this browser's guest to the account of `api`. Returns the result as a sentence. */
export async function adoptGuest(visit: Visit, api: VitrineClient): Promise<string> {
  const { guestToken } = visit;
  if (guestToken === undefined) return 'Nothing was uploaded from this browser without an account.';
  try {
    const { media } = await api.me.adoptGuest(guestToken);
    visit.clearGuestToken();
    visit.forgetViewer();
    return `${pluralize(media, 'file')} moved to your account.`;
  } catch (error) {
    if (!(error instanceof VitrineError)) throw error;
    return `The uploads without an account were not moved: ${error.message}`;
  }
}
