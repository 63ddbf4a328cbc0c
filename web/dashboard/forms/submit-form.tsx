import { Button, Group, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from '../feedback/failure.tsx'

type SubmitFormProps = {
  onSubmit(event: FormEvent<HTMLFormElement>): void
  submitting: { isPending: boolean; error: unknown }
  submitLabel: string
  /** Adds a button that leaves the form. */
  onCancel?(): void
  /** Replaces that button, such as by a link. */
  cancel?: ReactNode
  /** Describes a failure that the form knows more about; undefined and false leave it to {@link Failure}. */
  describe?(error: unknown): ReactNode
  children: ReactNode
}

/** The fields of a form, the failure of its last submission, and its buttons. */
export function SubmitForm(props: SubmitFormProps) {
  const { onSubmit, submitting, submitLabel, onCancel, cancel, describe, children } = props
  const { t } = useTranslation()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    onSubmit(event)
    // Once the page shows what is wrong, the keyboard is where to correct it.
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {children}
        <SubmitFailure error={submitting.error} describe={describe} />
        <Group justify="flex-end">
          {cancel}
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {t('action.cancel')}
            </Button>
          )}
          <Button type="submit" loading={submitting.isPending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function SubmitFailure({ error, describe }: Pick<SubmitFormProps, 'describe'> & { error: unknown }) {
  if (error === null || error === undefined) return null
  const description = describe?.(error)
  return description === undefined || description === false ? <Failure error={error} /> : description
}
