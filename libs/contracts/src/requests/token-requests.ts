import { SCOPES, type Scope } from '../accounts';
import { Choices, Instant, Text } from './fields';

/** POST /tokens */
export class CreateTokenRequest {
  @Text({ required: true, max: 100, description: 'What the token is for.' })
  name!: string;

  @Choices(SCOPES, { description: 'All three where absent.' })
  scopes?: Scope[];

  @Instant({ nullable: true, description: 'In the future; never where absent or null.' })
  expires_at?: string | null;
}
