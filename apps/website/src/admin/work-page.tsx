import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { pluralize } from '../components/words';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';
import { BarChart } from '../components/bar-chart';

type Work = AnswerOf<'getWork'>['data'];
type Queue = Work['queues'][number];

/** What the processes have to do, and what they couldn’t do. */
export function WorkPage({ work }: { readonly work: Work }): JSX.Element {
  const { queues, outbox, waiting_media: media, processing_errors: errors } = work;
  const dying = queues.filter(({ dead }) => dead > 0);
  return (
    <>
      <h1>Work</h1>
      <section class="card stack" aria-labelledby="media">
        <h2 id="media">Media that wait for their variants</h2>
        {media.every(({ count }) => count === 0) ? (
          <p class="quiet">None.</p>
        ) : (
          <BarChart
            caption="Media by line, with the longest wait"
            heading="Line"
            bars={media.map(({ line, count, oldest_seconds: oldest }) => ({
              name: line,
              value: count,
              shown: `${count}, ${pluralize(oldest, 'second')}`,
            }))}
          />
        )}
      </section>
      <section class="card stack" aria-labelledby="queues">
        <h2 id="queues">Queues</h2>
        <p class="quiet">
          {outbox.waiting === 0
            ? 'No events wait for the bus.'
            : `${pluralize(outbox.waiting, 'event')} wait for the bus, the first for ${pluralize(outbox.oldest_seconds ?? 0, 'second')}.`}
        </p>
        {queues.length === 0 ? (
          <p class="quiet">No process has reported its queues yet.</p>
        ) : (
          <BarChart
            caption="Messages that wait, by queue"
            heading="Queue"
            bars={queues.map(({ name, waiting }) => ({ name, value: waiting }))}
          />
        )}
      </section>
      <section class="card stack" aria-labelledby="dead">
        <h2 id="dead">Dead letters</h2>
        <p class="quiet">
          Messages that failed in all attempts. Try them again after you have fixed the cause.
        </p>
        {dying.length === 0 ? <p>None.</p> : dying.map((queue) => <DeadLetters queue={queue} />)}
      </section>
      <section class="card stack" aria-labelledby="errors">
        <h2 id="errors">Processing errors</h2>
        {errors.length === 0 ? (
          <p class="quiet">None.</p>
        ) : (
          <BarChart
            caption="The latest media that couldn’t be processed, by reason"
            heading="Reason"
            bars={errors.map(({ reason, count }) => ({ name: reason, value: count }))}
          />
        )}
      </section>
    </>
  );
}

function DeadLetters({ queue }: { readonly queue: Queue }): JSX.Element {
  const { name, dead, dead_letters: letters, reported_at: at } = queue;
  return (
    <>
      <h3>
        {name} <span class="quiet">{dead}</span>
      </h3>
      <ul class="people-list plain-list">
        {letters.map(({ id, event, reason, attempts, died_at: died }) => (
          <li class="admin-row">
            <div>
              <p>
                <strong>{event}</strong>
              </p>
              <p>{reason}</p>
              <p class="small quiet">
                {pluralize(attempts, 'attempt')}, <RelativeTime at={died} />
              </p>
            </div>
            <PostForm action="/admin/work/replay">
              <input type="hidden" name="queue" value={name} />
              <input type="hidden" name="id" value={id} />
              <button class="button">
                Try again<span class="visually-hidden"> letter {id}</span>
              </button>
            </PostForm>
          </li>
        ))}
      </ul>
      <PostForm action="/admin/work/replay" class="row">
        <input type="hidden" name="queue" value={name} />
        <button class="button">
          Try all again<span class="visually-hidden"> of {name}</span>
        </button>
        <span class="small quiet">
          As of <RelativeTime at={at} />
        </span>
      </PostForm>
    </>
  );
}
