import { Alert, Paper, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { verifyErasure } from '../../api/administration/erasures.ts'
import { SubmitForm } from '../../forms/submit-form.tsx'

/** Checks whether a receipt is that of a person. */
export function ErasureVerify({ receiptId }: { receiptId: string }) {
  const { t } = useTranslation()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { userId: '' },
    validate: { userId: (value) => (value === '' ? t('erasures.userMissing') : null) },
  })
  const verifying = useMutation({ mutationFn: (userId: string) => verifyErasure(receiptId, userId) })
  const matches = verifying.data?.matches
  const answer = matches === null ? 'unknown' : matches ? 'yes' : 'no'
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)" className="unprinted">
      <Title order={2} mb="xs">
        {t('erasures.verify')}
      </Title>
      <SubmitForm
        onSubmit={form.onSubmit(({ userId }) => verifying.mutate(userId))}
        submitting={verifying}
        submitLabel={t('erasures.check')}
      >
        <TextInput
          label={t('erasures.user')}
          description={t('erasures.verifyHelp')}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          key={form.key('userId')}
          {...form.getInputProps('userId')}
        />
        {matches !== undefined && (
          <Alert color={matches === true ? 'teal' : 'gray'} role="status">
            {t(`erasures.matches.${answer}`)}
          </Alert>
        )}
      </SubmitForm>
    </Paper>
  )
}
