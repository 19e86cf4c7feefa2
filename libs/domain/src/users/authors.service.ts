import { Injectable } from '@nestjs/common';
import type { Author } from './author.presenter';
import { AuthorRepository } from './author.repository';

/** Who made things, for everything that shows them. */
@Injectable()
export class AuthorsService {
  constructor(private readonly repository: AuthorRepository) {}

  /** The authors behind some user ids, nulls and doubles left out, by id. */
  findAuthors(userIds: readonly (number | null)[]): Promise<ReadonlyMap<number, Author>> {
    return this.repository.findAuthors([...new Set(userIds.filter((id) => id !== null))]);
  }
}
