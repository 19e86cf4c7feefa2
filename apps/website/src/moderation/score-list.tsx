import type { JSX } from 'preact';
import type { Scores } from './queue-item';

const CLASSES = [
  ['neutral', 'Neutral', 1],
  ['drawing', 'Drawing', 1],
  ['sexy', 'Suggestive', 0],
  ['porn', 'Pornographic', 0],
  ['hentai', 'Pornographic drawing', 0],
] as const;

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

/** The scores of the automatic check. */
export function ScoreList({ scores }: { readonly scores: Scores }): JSX.Element | null {
  const { unsafe, classes, frames = 1, worst_frame: worst = 0, banned_hash_id: ban, distance } = scores;
  return (
    <>
      {ban !== undefined && (
        <p class="small">
          Similar to <a href="/moderation/hashes">banned picture {ban}</a>: {distance ?? 0} of 256 bits
          differ.
        </p>
      )}
      {unsafe !== undefined && (
        <ul class="scores plain-list">
          <Score words="Unsafe" value={unsafe} best={0} />
          {classes &&
            CLASSES.map(([name, words, best]) => <Score words={words} value={classes[name]} best={best} />)}
        </ul>
      )}
      {frames > 1 && (
        <p class="small quiet">
          Highest score of {frames} frames (frame {worst + 1}).
        </p>
      )}
    </>
  );
}

interface ScoreProps {
  readonly words: string;
  readonly value: number;
  /** The harmless end of the scale. */
  readonly best: 0 | 1;
}

/** The thresholds of the automatic check (docs/moderation.md): unsure from 0.4, unsafe from 0.7. */
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
