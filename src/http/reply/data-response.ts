import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';

/** The base class of a response with one record. */
export function DataResponse<Data>(record: Type<Data>): Type<{ data: Data }> {
  class OneRecord {
    @ApiProperty({ type: record })
    data: Data;
  }
  return OneRecord;
}

/** The base class of a response with a page of records. `description`: the order of the records. */
export function ListResponse<Item>(
  record: Type<Item>,
  description?: string,
): Type<{ data: Item[]; total_count: number }> {
  class PageOfRecords {
    @ApiProperty({ type: [record], description })
    data: Item[];

    @ApiProperty({ type: 'integer', description: 'The number of matches on all pages.' })
    total_count: number;
  }
  return PageOfRecords;
}

/** The base class of a response with a page of records, whose query is a CursorPageRequest. */
export function CursorListResponse<Item>(
  record: Type<Item>,
): Type<{ data: Item[]; has_more: boolean; next_cursor: string | null }> {
  class PageOfRecords {
    @ApiProperty({ type: [record] })
    data: Item[];

    @ApiProperty()
    has_more: boolean;

    @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
    next_cursor: string | null;
  }
  return PageOfRecords;
}
