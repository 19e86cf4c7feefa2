import { type AnswerOf, type QueryOf, type VitrineClient, VitrineError } from '@vitrine/client';
import { fieldText } from '../visits/form-fields';
import type { Visit } from '../visits/visit';

/** Whose files a page of uploads is about. */
export interface Uploader {
  /** Null for a guest. */
  readonly username: string | null;
  /** Does something with the API as the uploader. Throws `VitrineError`. */
  run<Result>(act: (api: VitrineClient) => Promise<Result>): Promise<Result>;
  /** The uploader's own media, the latest first. */
  listMedia(query: QueryOf<'listGuestMedia'>): Promise<AnswerOf<'listGuestMedia'>>;
}

/**
 * Who the page was shown to, by its field `as`: a member by name, or with nothing in it a guest. A login or logout in
 * another tab must not make one's files another's, so nobody else will do. Throws `LogInFirst`, and `VitrineError`
 * `conflict` where another member is logged in or the guest is gone.
 */
export async function uploaderOf(visit: Visit, as = fieldText(visit, 'as')): Promise<Uploader> {
  if (as === '') return guestOf(visit);
  const { username } = await visit.requireViewer();
  if (username !== as) {
    throw refusal(`You are logged in as ${username} now. Log in as ${as} again to go on.`);
  }
  return {
    username,
    run: (act) => act(visit.api),
    listMedia: (query) => visit.api.users.media(username).list(query),
  };
}

function guestOf(visit: Visit): Uploader {
  const { guestToken } = visit;
  if (guestToken === undefined) throw refusal(GONE);
  const run: Uploader['run'] = async (act) => {
    try {
      return await act(visit.apiWith(guestToken));
    } catch (error) {
      // An error 401 would be read as the end of a session.
      if (!isUnauthenticated(error)) throw error;
      visit.dropGuestToken();
      throw refusal(GONE);
    }
  };
  return { username: null, run, listMedia: (query) => run((api) => api.guest.media.list(query)) };
}

/** A ticket for a guest: the one that this browser is already, or a new one, whom it remembers from here on. */
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
  const answer = await visit.apiWith(undefined).uploadTickets.create(options);
  if (answer.guest_token !== undefined) visit.keepGuestToken(answer.guest_token);
  return answer;
}

const GONE = 'What you uploaded without an account is gone, or this browser no longer knows it was you.';

const isUnauthenticated = (error: unknown): boolean =>
  error instanceof VitrineError && error.code === 'unauthenticated';

const refusal = (message: string): VitrineError =>
  new VitrineError({ code: 'conflict', status: 409, message });
