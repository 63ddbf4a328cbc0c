import { Paper, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasStatus } from '../../api/api-error.ts'
import { changePublication, type OperatorPublication, publicationQuery } from '../../api/publications.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { notify } from '../../feedback/notify.ts'
import { SubmitForm } from '../../forms/submit-form.tsx'

/** The server's own rule, checked before anything is sent. */
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Edits a publication's title and slug. */
export function PublicationEdit({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { title: publication.title, slug: publication.slug },
    validate: {
      title: (title) => (title.trim() === '' ? t('publication.titleMissing') : null),
      slug: (slug) => (SLUG.test(slug.trim()) ? null : t('publication.slugWrong')),
    },
  })
  const changing = useMutation({
    mutationFn: ({ title, slug }: { title: string; slug: string }) =>
      changePublication(publication.id, { title: title.trim(), slug: slug.trim() }),
    onError: (error) => {
      if (hasStatus(error, 409)) form.setFieldError('slug', t('publication.slugTaken'))
    },
    onSuccess: async (changed) => {
      client.setQueryData(publicationQuery(publication.id).queryKey, changed)
      form.resetDirty()
      notify(t('action.saved'))
      await client.invalidateQueries({ queryKey: queryKeys.library(publication.workspace.id) })
    },
  })
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <SubmitForm
        onSubmit={form.onSubmit((values) => changing.mutate(values))}
        submitting={changing}
        submitLabel={t('action.save')}
        // A taken slug is shown at its field.
        describe={(error) => (hasStatus(error, 409) ? '' : undefined)}
      >
        <Title order={2}>{t('publication.details')}</Title>
        <TextInput
          label={t('field.title')}
          required
          maxLength={500}
          autoComplete="off"
          key={form.key('title')}
          {...form.getInputProps('title')}
        />
        <TextInput
          label={t('publication.slug')}
          description={t('publication.slugHelp')}
          required
          maxLength={80}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          key={form.key('slug')}
          {...form.getInputProps('slug')}
        />
      </SubmitForm>
    </Paper>
  )
}
