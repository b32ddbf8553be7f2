import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import type { KeyClass } from '../../../kernel/principal.js';
import { NAMES_EXAMPLE } from './names.examples.js';

const KEY_CLASSES: readonly KeyClass[] = ['standard', 'management', 'intern'];

export class KeyNameRecord {
  /** As it was asked for. */
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

  /** The intern whose own key it is. */
  @ApiProperty({ type: String, nullable: true })
  intern_id: string | null;

  /** Whether a session of the console acts with it. */
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

  /** Null for who is no member any more. */
  @ApiProperty({ type: String, nullable: true })
  email: string | null;

  /** False for who has left the account. */
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
export class NamesResponse {
  @ApiProperty({ type: NameLists })
  data: NameLists;
}
