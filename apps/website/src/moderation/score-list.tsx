import type { JSX } from 'preact';
import type { Scores } from './queue-item';

const CLASSES = [
  ['neutral', 'Neutral'],
  ['drawing', 'Harmless drawing'],
  ['sexy', 'Suggestive'],
  ['porn', 'Pornographic'],
  ['hentai', 'Pornographic drawing'],
] as const;

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

/** What automation made of it. */
export function ScoreList({ scores }: { readonly scores: Scores }): JSX.Element | null {
  const { unsafe, classes, frames = 1, worst_frame: worst = 0, banned_hash_id: ban, distance } = scores;
  return (
    <>
      {ban !== undefined && (
        <p class="small">
          Like <a href="/moderation/hashes">banned picture {ban}</a>: {distance ?? 0} of 256 bits differ.
        </p>
      )}
      {unsafe !== undefined && (
        <ul class="scores plain-list">
          <Score words="Not for everybody" value={unsafe} />
          {classes && CLASSES.map(([name, words]) => <Score words={words} value={classes[name]} />)}
        </ul>
      )}
      {frames > 1 && (
        <p class="small quiet">
          The worst of {frames} pictures, number {worst + 1}.
        </p>
      )}
    </>
  );
}

function Score({ words, value }: { readonly words: string; readonly value: number }): JSX.Element {
  return (
    <li>
      <span>{words}</span>
      <meter min={0} max={1} low={0.4} high={0.7} optimum={0} value={value} aria-label={words}>
        {percent.format(value)}
      </meter>
      <span class="score">{percent.format(value)}</span>
    </li>
  );
}
