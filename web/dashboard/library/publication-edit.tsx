import { Group, Paper, Textarea, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasStatus } from '../api/api-error.ts'
import { notify } from '../components/feedback.tsx'
import { ResourceForm } from '../components/forms.tsx'
import {
  operatorGetPublicationOptions,
  operatorListPublicationsQueryKey,
} from '../generated/@tanstack/react-query.gen.ts'
import { operatorUpdatePublication } from '../generated/sdk.gen.ts'
import type { OperatorPublication } from '../generated/types.gen.ts'

/** The server's own rule, checked before anything is sent. */
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

type Values = { title: string; slug: string; language: string; author: string; description: string }

/** Edits a publication's title, slug, language, author and description. */
export function PublicationEdit({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: valuesOf(publication),
    validate: {
      title: (title) => (title.trim() === '' ? t('publication.titleMissing') : null),
      slug: (slug) => (SLUG.test(slug.trim()) ? null : t('publication.slugWrong')),
      language: (tag) => (isLanguageTag(tag.trim()) ? null : t('publication.languageWrong')),
    },
  })
  const onSaved = async (saved: OperatorPublication) => {
    client.setQueryData(operatorGetPublicationOptions({ path: { id: publication.id } }).queryKey, saved)
    form.resetDirty()
    notify(t('action.saved'))
    await client.invalidateQueries({
      queryKey: operatorListPublicationsQueryKey({ path: { id: publication.workspace.id } }),
    })
  }
  const field = (name: keyof Values) => ({ autoComplete: 'off', key: form.key(name), ...form.getInputProps(name) })
  const ofFile = (value: string | null) => (value === null ? undefined : t('publication.fromFile', { value }))
  const { stated } = publication
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <ResourceForm
        form={form}
        save={(values) => operatorUpdatePublication({ path: { id: publication.id }, body: trimmed(values) })}
        onSaved={onSaved}
        onFailed={(error) => {
          if (hasStatus(error, 409)) form.setFieldError('slug', t('publication.slugTaken'))
        }}
        submitLabel={t('action.save')}
        // A taken slug is shown at its field.
        describe={(error) => (hasStatus(error, 409) ? '' : undefined)}
      >
        <Title order={2}>{t('publication.details')}</Title>
        <TextInput label={t('field.title')} required maxLength={500} {...field('title')} />
        <TextInput
          label={t('publication.slug')}
          description={t('publication.slugHelp')}
          required
          maxLength={80}
          autoCapitalize="off"
          spellCheck={false}
          {...field('slug')}
        />
        <Group grow align="flex-start">
          <TextInput
            label={t('publication.author')}
            maxLength={200}
            placeholder={stated.author === null ? ofFile(publication.author) : undefined}
            {...field('author')}
          />
          <TextInput
            label={t('publication.language')}
            description={t('publication.languageHelp')}
            maxLength={100}
            autoCapitalize="off"
            spellCheck={false}
            placeholder={stated.language === null ? ofFile(publication.language) : undefined}
            {...field('language')}
          />
        </Group>
        <Textarea
          label={t('publication.description')}
          description={t('publication.descriptionHelp')}
          autosize
          minRows={2}
          maxLength={1000}
          placeholder={stated.description === null ? ofFile(publication.description) : undefined}
          {...field('description')}
        />
      </ResourceForm>
    </Paper>
  )
}

function valuesOf({ title, slug, stated }: OperatorPublication): Values {
  const { language, author, description } = stated
  return { title, slug, language: language ?? '', author: author ?? '', description: description ?? '' }
}

function trimmed(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => [name, value.trim()])
  return Object.fromEntries(entries) as Values
}

/** Checks a tag by the server's own rule: a language has two or three letters. */
function isLanguageTag(tag: string): boolean {
  if (!/^([a-z]{2,3}([-_].*)?)?$/i.test(tag)) return false
  try {
    return tag === '' || Intl.getCanonicalLocales(tag.replaceAll('_', '-')).length === 1
  } catch {
    return false
  }
}
