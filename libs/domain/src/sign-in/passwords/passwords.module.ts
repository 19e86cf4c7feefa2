import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { PasswordStrength } from './password-strength';
import { PasswordsConfig } from './passwords.config';

/** Which passwords may be chosen. */
@Module({ providers: [provideConfig(PasswordsConfig), PasswordStrength], exports: [PasswordStrength] })
export class PasswordsModule {}
