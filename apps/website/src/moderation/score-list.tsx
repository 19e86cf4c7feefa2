import type { JSX } from 'preact';
import type { Scores } from './queue-item';

const CLASSES = [
  ['neutral', 'Neutral', 1],
  ['drawing', 'Harmless drawing', 1],
  ['sexy', 'Suggestive', 0],
  ['porn', 'Pornographic', 0],
  ['hentai', 'Pornographic drawing', 0],
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
          <Score words="Not for everybody" value={unsafe} best={0} />
          {classes &&
            CLASSES.map(([name, words, best]) => <Score words={words} value={classes[name]} best={best} />)}
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

interface ScoreProps {
  readonly words: string;
  readonly value: number;
  /** The end of the scale that is no trouble. */
  readonly best: 0 | 1;
}

/** Marks where automation's verdict turns (docs of the API, moderation): from 0.4 it is unsure, from 0.7 it isn't. */
const [LOW, HIGH] = [0.4, 0.7];

function Score({ words, value, best }: ScoreProps): JSX.Element {
  const marks = best === 0 ? { low: LOW, high: HIGH, optimum: 0 } : {};
  return (
    <li>
      <span>{words}</span>
      <meter min={0} max={1} {...marks} value={value} aria-label={words}>
        {percent.format(value)}
      </meter>
      <span class="score">{percent.format(value)}</span>
    </li>
  );
}
