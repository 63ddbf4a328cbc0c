import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ApiError, hasStatus } from '../api/api-error.ts'
import { Failure } from '../feedback/failure.tsx'
import { FormAlert } from '../forms/form-alert.tsx'
import { useFormat } from '../i18n/format.ts'
import { startListProblems } from './start-list-problems.ts'

/** Problems that are listed; a wrong column makes one in every line. */
const MAX_PROBLEMS = 12

/** Names each wrong line of a list of people, with its text. */
export function ListProblems({ error, csv }: { error: unknown; csv: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!hasStatus(error, 400)) return <Failure error={error} />
  const problems = startListProblems((error as ApiError).problem?.errors ?? [], csv)
  return (
    <FormAlert>
      <Text fw={600}>{t('race.listWrong', { count: problems.length, figure: format.count(problems.length) })}</Text>
      <ul>
        {problems.slice(0, MAX_PROBLEMS).map(({ line, field, key, values, text }) => (
          <li key={`${line} ${field} ${key}`}>
            {line !== undefined && `${t('race.line', { line })} `}
            {field !== undefined && `(${t(`race.field.${field}`)}) `}
            {t(key, values)}
            {text !== undefined && (
              <>
                {' '}
                <code>{text}</code>
              </>
            )}
          </li>
        ))}
      </ul>
      {problems.length > MAX_PROBLEMS &&
        t('race.listWrongMore', { figure: format.count(problems.length - MAX_PROBLEMS) })}
    </FormAlert>
  )
}
