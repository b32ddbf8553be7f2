import { ApiProperty } from '@nestjs/swagger';

export class MessagesModel {
  @ApiProperty({ type: String, enum: ['model'] })
  type: 'model';

  @ApiProperty({ example: 'builtin/eliza' })
  id: string;

  @ApiProperty({ example: 'Built-in: Eliza' })
  display_name: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

/** The list of models for clients of `/messages`. */
export class MessagesModelsResponse {
  /** Newest first. */
  @ApiProperty({ type: [MessagesModel] })
  data: MessagesModel[];

  @ApiProperty({ type: Boolean })
  has_more: boolean;

  @ApiProperty({ type: String, nullable: true })
  first_id: string | null;

  /** The value for `after_id` of the next page. */
  @ApiProperty({ type: String, nullable: true })
  last_id: string | null;
}
