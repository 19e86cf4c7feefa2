import { Text, WholeNumber } from './fields';

/** POST /posts/<post>/comments */
export class CreateCommentRequest {
  @Text({ required: true, max: 500, multiline: true })
  content!: string;

  @WholeNumber({ nullable: true, description: 'The comment of the same post that this one replies to.' })
  parent_id?: number | null;
}
