import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { raceAnswers } from '../api/query-client.ts'
import { Dialog } from '../components/dialogs.tsx'
import { fieldErrors } from '../components/error-message.ts'
import { notify } from '../components/feedback.tsx'
import { ResourceForm, textOrNull } from '../components/forms.tsx'
import { operatorCreateRunner, operatorUpdateRunnerStatus } from '../generated/sdk.gen.ts'
import type { Participant } from '../generated/types.gen.ts'

type RunnerFormProps = {
  eventId: string
  /** The runner to edit; undefined to add one. */
  runner?: Participant
  onClose(): void
}

type RunnerFields = { bib: string; name: string; category: string; phone: string; userId: string }

/** Adds a runner to the start list, or edits one. Nothing else of the list changes. */
export function RunnerForm({ eventId, runner, onClose }: RunnerFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const required = (text: string) => (text.trim() === '' ? t('race.fieldMissing') : null)
  const form = useForm<RunnerFields>({
    mode: 'uncontrolled',
    initialValues: {
      bib: runner?.bib ?? '',
      name: runner?.name ?? '',
      category: runner?.category ?? '',
      phone: runner?.phone ?? '',
      userId: '',
    },
    validate: { bib: required, name: required },
  })
  const save = ({ bib, name, category, phone, userId }: RunnerFields) => {
    const path = { id: eventId }
    const fields = { bib, name, category: textOrNull(category), phone: textOrNull(phone) }
    if (runner !== undefined) return operatorUpdateRunnerStatus({ path, body: { user_id: runner.user_id, ...fields } })
    return operatorCreateRunner({ path, body: { ...fields, ...(userId.trim() !== '' && { user_id: userId }) } })
  }
  const onSaved = async ({ name }: { name: string }) => {
    notify(t('race.runnerSaved', { name }))
    onClose()
    await client.invalidateQueries(raceAnswers(eventId))
  }
  const onFailed = (error: unknown) => {
    const wrong = fieldErrors(error)
    if ('bib' in wrong) form.setFieldError('bib', t('race.bibTaken'))
    if ('user_id' in wrong) form.setFieldError('userId', t('race.userTaken'))
  }
  const isShown = (error: unknown) => Object.keys(fieldErrors(error)).some((path) => ['bib', 'user_id'].includes(path))
  const input = (name: keyof RunnerFields) => ({ key: form.key(name), ...form.getInputProps(name) })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={
        runner === undefined ? t('race.addRunner') : t('race.editThis', { name: `${runner.bib} · ${runner.name}` })
      }
    >
      <ResourceForm
        form={form}
        save={save}
        onSaved={onSaved}
        onFailed={onFailed}
        describe={(error) => isShown(error) && ''}
        submitLabel={t(runner === undefined ? 'race.addRunnerNow' : 'action.save')}
        onCancel={onClose}
      >
        <TextInput label={t('race.bib')} required maxLength={20} autoComplete="off" data-autofocus {...input('bib')} />
        <TextInput label={t('field.name')} required maxLength={200} autoComplete="off" {...input('name')} />
        <TextInput label={t('race.category')} maxLength={100} autoComplete="off" {...input('category')} />
        <TextInput
          type="tel"
          label={t('race.phone')}
          description={t('race.phoneHelp')}
          maxLength={40}
          autoComplete="off"
          {...input('phone')}
        />
        {runner === undefined ? (
          <TextInput
            label={t('tracks.user')}
            description={t('race.userHelp')}
            maxLength={255}
            autoComplete="off"
            {...input('userId')}
          />
        ) : (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {t('tracks.user')}: {runner.user_id}
          </Text>
        )}
      </ResourceForm>
    </Dialog>
  )
}
