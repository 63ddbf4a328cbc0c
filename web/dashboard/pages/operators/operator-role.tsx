import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasStatus } from '../../api/api-error.ts'
import { changeOperator, type Operator } from '../../api/operators.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { notify } from '../../feedback/notify.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import { SubmitForm } from '../../forms/submit-form.tsx'
import { draftOf, isComplete, RoleFields, rightsOf } from './role-fields.tsx'
import { useLimitChoices } from './use-limit-choices.ts'

/** Changes the role of an operator, and what it is for. */
export function OperatorRole({ operator, onDone }: { operator: Operator; onDone(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const choices = useLimitChoices()
  const [draft, setDraft] = useState(() => draftOf(operator))
  const changing = useMutation({
    mutationFn: () => changeOperator(operator.id, rightsOf(draft, choices)),
    onSuccess: async ({ name }) => {
      onDone()
      notify(t('operators.roleChanged', { name }))
      await client.invalidateQueries({ queryKey: queryKeys.operators })
      // One may have changed one's own.
      await client.invalidateQueries({ queryKey: queryKeys.session })
    },
  })
  return (
    <SubmitForm
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete(draft, choices)) changing.mutate()
      }}
      submitting={changing}
      submitLabel={t('operators.roleSubmit')}
      onCancel={onDone}
      describe={(error) => hasStatus(error, 409) && <FormAlert>{t('operators.lastOwner')}</FormAlert>}
    >
      <RoleFields draft={draft} onChange={setDraft} choices={choices} />
    </SubmitForm>
  )
}
