import { Module } from '@nestjs/common';
import { AuthorRepository } from './author.repository';
import { AuthorsService } from './authors.service';

/** Users as authors; separate from `UsersModule` because posts, media and comments need it. */
@Module({ providers: [AuthorRepository, AuthorsService], exports: [AuthorsService] })
export class AuthorsModule {}
