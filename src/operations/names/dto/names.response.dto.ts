import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';
import type { KeyClass } from '../../../kernel/principal.js';
import { NAMES_EXAMPLE } from './names.examples.js';

const KEY_CLASSES: readonly KeyClass[] = ['standard', 'management', 'intern'];

export class KeyNameRecord {
  /** The hash in the request. */
  @ApiProperty()
  hash: string;

  /** Differs from `hash` after a rotation. */
  @ApiProperty()
  current_hash: string;

  @ApiProperty()
  name: string;

  @ApiProperty()
  label: string;

  @ApiProperty({ enum: KEY_CLASSES })
  class: KeyClass;

  @ApiProperty()
  workspace_id: string;

  @ApiProperty({ type: String, nullable: true })
  creator_user_id: string | null;

  /** The id of the intern if the key is an intern's own. */
  @ApiProperty({ type: String, nullable: true })
  intern_id: string | null;

  /** Whether the key belongs to a console session. */
  @ApiProperty()
  of_session: boolean;

  @ApiProperty()
  disabled: boolean;

  @ApiProperty()
  deleted: boolean;
}

export class PersonNameRecord {
  @ApiProperty()
  id: string;

  @ApiProperty()
  name: string;

  /** Null for a former member. */
  @ApiProperty({ type: String, nullable: true })
  email: string | null;

  /** False for a user who has left the account. */
  @ApiProperty()
  is_member: boolean;
}

export class WorkspaceNameRecord {
  @ApiProperty()
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty()
  slug: string;

  @ApiProperty()
  deleted: boolean;
}

export class InternNameRecord {
  @ApiProperty()
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty()
  workspace_id: string;
}

export class NameLists {
  @ApiProperty({ type: [KeyNameRecord] })
  api_keys: KeyNameRecord[];

  @ApiProperty({ type: [PersonNameRecord] })
  users: PersonNameRecord[];

  @ApiProperty({ type: [WorkspaceNameRecord] })
  workspaces: WorkspaceNameRecord[];

  @ApiProperty({ type: [InternNameRecord] })
  interns: InternNameRecord[];
}

@ResponseExample(NAMES_EXAMPLE)
export class NamesResponse extends DataResponse(NameLists) {}
