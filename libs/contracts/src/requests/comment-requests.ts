import { Text, WholeNumber } from './fields';
import { MAX_LENGTHS } from '../vocabulary/limits';

/** PATCH /comments/<id> */
export class UpdateCommentRequest {
  @Text({ required: true, max: MAX_LENGTHS.comment, multiline: true })
  content!: string;
}

/** POST /posts/<post>/comments */
export class CreateCommentRequest {
  @Text({ required: true, max: MAX_LENGTHS.comment, multiline: true })
  content!: string;

  @WholeNumber({
    nullable: true,
    description: 'Id of the comment that this one replies to; it must be on the same post.',
  })
  parent_id?: number | null;
}
