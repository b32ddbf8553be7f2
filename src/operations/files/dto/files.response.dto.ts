import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ClosedObject } from '../../../http/validation/closed-object.decorator.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

/** The member `_shape`. Clients of the openrouter dialect read it first; the other dialect does not have it. */
class Shaped {
  /** Present if WIRE_DIALECT is openrouter. */
  @ApiPropertyOptional({ type: String, enum: ['openrouter'] })
  _shape?: 'openrouter';
}

const FILE_EXAMPLE = {
  id: 'file-019bb0a2-8c7b-7c1e-9a55-3f2b6f1f2e11',
  type: 'file',
  filename: 'report.pdf',
  mime_type: 'application/pdf',
  size_bytes: 48213,
  created_at: '2026-11-22T08:30:00.000Z',
  downloadable: false,
};

/** File metadata (specification, "File metadata"). */
@ResponseExample(FILE_EXAMPLE)
@ClosedObject()
export class FileRecord extends Shaped {
  @ApiProperty({ example: 'file-019bb0a2-8c7b-7c1e-9a55-3f2b6f1f2e11' })
  id: string;

  @ApiProperty({ type: String, enum: ['file'] })
  type: 'file';

  /** The name that the sender gave, without a path and control characters. */
  @ApiProperty({ example: 'report.pdf' })
  filename: string;

  /** Detected from the contents. */
  @ApiProperty({ example: 'application/pdf' })
  mime_type: string;

  @ApiProperty({ type: 'integer', minimum: 1 })
  size_bytes: number;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /** Always false for uploads. */
  @ApiProperty({ type: Boolean })
  downloadable: boolean;
}

@ResponseExample({
  data: [FILE_EXAMPLE],
  has_more: false,
  first_id: FILE_EXAMPLE.id,
  last_id: FILE_EXAMPLE.id,
  cursor: null,
})
export class FileListResponse extends Shaped {
  /** Oldest first. */
  @ApiProperty({ type: [FileRecord] })
  data: FileRecord[];

  @ApiProperty({ type: Boolean })
  has_more: boolean;

  @ApiProperty({ type: String, nullable: true })
  first_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  last_id: string | null;

  /** The cursor of the next page; null on the last page. */
  @ApiProperty({ type: String, nullable: true })
  cursor: string | null;
}

@ResponseExample({ id: FILE_EXAMPLE.id, type: 'file_deleted' })
export class FileDeletedResponse extends Shaped {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String, enum: ['file_deleted'] })
  type: 'file_deleted';
}
