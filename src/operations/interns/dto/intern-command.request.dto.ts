import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { OptionalBoolean } from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

/** The body of the operations provision and suspend: empty, or an object without fields. */
@RequestExamples({ 'No fields': { value: {} } })
@NoAdditionalFields()
export class NoFieldsRequest {}

@RequestExamples({ 'Accept that data on the disk may remain': { value: { acknowledge_workspace_loss: true } } })
@NoAdditionalFields()
export class DeleteInternRequest {
  /**
   * Deletes an intern even if its disk could not be removed (`workspace_removal_failed`). The data on the disk may
   * remain.
   */
  @OptionalBoolean({ byDefault: false })
  acknowledge_workspace_loss?: boolean;
}
