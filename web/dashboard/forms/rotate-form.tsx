import { NativeSelect, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Key } from '../i18n/en.ts'
import { SubmitForm } from './submit-form.tsx'

/** The times that replaced tokens and keys may stay valid. */
const OVERLAPS: readonly { sec: number; key: Key }[] = [
  { sec: 0, key: 'overlap.none' },
  { sec: 3600, key: 'overlap.hour' },
  { sec: 86_400, key: 'overlap.day' },
  { sec: 7 * 86_400, key: 'overlap.week' },
  { sec: 30 * 86_400, key: 'overlap.month' },
]
const DEFAULT_OVERLAP_SEC = 86_400

type RotateFormProps<Rotated> = {
  help: string
  overlapLabel: string
  submitLabel: string
  rotate(overlapSec: number): Promise<Rotated>
  onRotated(rotated: Rotated): unknown
  onCancel(): void
}

/** Replaces a token or a key. The old one may stay valid for a while, so that its users can change over. */
export function RotateForm<Rotated>(props: RotateFormProps<Rotated>) {
  const { help, overlapLabel, submitLabel, rotate, onRotated, onCancel } = props
  const { t } = useTranslation()
  const form = useForm({ mode: 'uncontrolled', initialValues: { overlapSec: String(DEFAULT_OVERLAP_SEC) } })
  const rotating = useMutation({ mutationFn: rotate, onSuccess: onRotated })
  return (
    <SubmitForm
      onSubmit={form.onSubmit(({ overlapSec }) => rotating.mutate(Number(overlapSec)))}
      submitting={rotating}
      submitLabel={submitLabel}
      onCancel={onCancel}
    >
      <Text>{help}</Text>
      <NativeSelect
        label={overlapLabel}
        data={OVERLAPS.map(({ sec, key }) => ({ value: String(sec), label: t(key) }))}
        key={form.key('overlapSec')}
        {...form.getInputProps('overlapSec')}
      />
    </SubmitForm>
  )
}
