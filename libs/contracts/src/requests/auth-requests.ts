import { USERNAME_PATTERN } from '../accounts';
import { Email, Text } from './fields';

/** POST /auth/register */
export class RegisterRequest {
  @Text({
    required: true,
    min: 3,
    max: 30,
    shape: { pattern: USERNAME_PATTERN, must: 'only contain letters, numbers and underscores' },
    description: 'Unique ignoring case.',
  })
  username!: string;

  @Text({ required: true, min: 10, max: 200 })
  password!: string;

  @Email({ nullable: true, description: 'Unique ignoring case.' })
  email?: string | null;
}

/** POST /auth/login */
export class LoginRequest {
  @Text({ required: true, max: 254, description: 'Username or email.' })
  login!: string;

  @Text({ required: true, max: 200 })
  password!: string;
}
