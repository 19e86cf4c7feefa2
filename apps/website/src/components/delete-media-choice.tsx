import type { JSX } from 'preact';

interface DeleteMediaChoiceProps {
  /** The number of media of the post that is deleted. */
  readonly count: number;
}

/** The choice to delete the media of a post with it: people who delete a picture want its link to stop working. */
export function DeleteMediaChoice({ count }: DeleteMediaChoiceProps): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" name="media" value="1" checked />
      <span>
        {count === 1
          ? 'Delete its file too, unless it is'
          : `Delete its ${count} files too, except those that are`}{' '}
        in another post
      </span>
    </label>
  );
}
