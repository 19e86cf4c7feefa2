import { type AnswerOf, type QueryOf, type VitrineClient, VitrineError } from '@vitrine/client';
import { fieldText } from '../visits/form-fields';
import type { Visit } from '../visits/visit';

/** The uploader of an upload page: a member or a guest. */
export interface Uploader {
  /** Null for a guest. */
  readonly username: string | null;
  /** Calls the API as the uploader. Throws `VitrineError`. */
  run<Result>(act: (api: VitrineClient) => Promise<Result>): Promise<Result>;
  /** The uploader's own media, newest first. */
  listMedia(query: QueryOf<'listGuestMedia'>): Promise<AnswerOf<'listGuestMedia'>>;
}

/**
 * The visitor to whom the page was shown, by its field `as`: a username, or empty for a guest. A login or logout in
 * another tab must not change the owner of files, so no other visitor is accepted. Throws `LogInRequiredError`, and
 * `VitrineError` `conflict` if another member is logged in or the guest no longer exists.
 */
export async function uploaderOf(visit: Visit, formOwner = fieldText(visit, 'as')): Promise<Uploader> {
  if (formOwner === '') return guestOf(visit);
  const { username } = await visit.requireViewer();
  if (username !== formOwner) {
    throw conflictError(`You are now logged in as ${username}. Log in as ${formOwner} again to continue.`);
  }
  return {
    username,
    run: (act) => act(visit.api),
    listMedia: (query) => visit.api.users.media(username).list(query),
  };
}

function guestOf(visit: Visit): Uploader {
  const { guestToken } = visit;
  if (guestToken === undefined) throw conflictError(GUEST_UPLOADS_GONE);
  const run: Uploader['run'] = async (act) => {
    try {
      return await act(visit.apiWith(guestToken));
    } catch (error) {
      // A 401 error would look like the end of a session.
      if (!isUnauthenticated(error)) throw error;
      visit.clearGuestToken();
      throw conflictError(GUEST_UPLOADS_GONE);
    }
  };
  return { username: null, run, listMedia: (query) => run((api) => api.guest.media.list(query)) };
}

/** A ticket for this browser's guest, or for a new guest, whose token is then stored in the browser. */
export async function guestTicket(visit: Visit): Promise<AnswerOf<'createUploadTicket'>> {
  const options = { idempotencyKey: visit.idempotencyKey };
  const { guestToken } = visit;
  if (guestToken !== undefined) {
    try {
      return await visit.apiWith(guestToken).uploadTickets.create(options);
    } catch (error) {
      if (!isUnauthenticated(error)) throw error;
    }
  }
  const proof = fieldText(visit, 'proof_of_work');
  const answer = await visit
    .apiWith(undefined)
    .uploadTickets.create(options, proof === '' ? {} : { proof_of_work: proof });
  if (answer.guest_token !== undefined) visit.storeGuestToken(answer.guest_token);
  return answer;
}

const GUEST_UPLOADS_GONE =
  'Your uploads as a guest no longer exist, or this browser has lost access to them.';

const isUnauthenticated = (error: unknown): boolean =>
  error instanceof VitrineError && error.code === 'unauthenticated';

const conflictError = (message: string): VitrineError =>
  new VitrineError({ code: 'conflict', status: 409, message });
