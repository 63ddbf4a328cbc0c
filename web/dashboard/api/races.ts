import { queryOptions } from '@tanstack/react-query'
import type {
  Checkpoint,
  CheckpointList,
  CheckpointsUpdate,
  Course,
  Race,
  RaceUpdate,
  Ranking,
  RankingEntry,
  Runner,
  RunnerList,
  RunnerStatusUpdate,
  SharedCourse,
} from '../../../src/tracks/schemas/race.ts'
import { hasStatus } from './api-error.ts'
import { apiPaths, withQuery } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

export type { Checkpoint, CheckpointsUpdate, Course, Race, Ranking, RankingEntry, Runner, SharedCourse }

export type CourseLine = Course['line']

/** The settings of an event's race, and what it has. */
export function raceQuery(eventId: string) {
  return queryOptions({
    queryKey: queryKeys.race(eventId),
    queryFn: ({ signal }) => request<Race>('GET', apiPaths.race(eventId), { signal }),
  })
}

/** The course of an event; null without one. */
export function courseQuery(eventId: string) {
  return queryOptions({
    queryKey: queryKeys.course(eventId),
    queryFn: ({ signal }) => orNull(request<Course>('GET', apiPaths.course(eventId), { signal })),
  })
}

/** The course behind a share link with its checkpoints; null without one. */
export function sharedCourseQuery(token: string) {
  return queryOptions({
    queryKey: queryKeys.sharedCourse(token),
    queryFn: ({ signal }) => orNull(request<SharedCourse>('GET', apiPaths.sharedCourse(token), { signal })),
  })
}

/** The ranking of an event. */
export function rankingQuery(eventId: string) {
  return queryOptions({
    queryKey: queryKeys.ranking(eventId),
    queryFn: ({ signal }) => request<Ranking>('GET', apiPaths.ranking(eventId), { signal }),
  })
}

/** The ranking that a share link shows. */
export function sharedRankingQuery(token: string) {
  return queryOptions({
    queryKey: queryKeys.sharedRanking(token),
    queryFn: ({ signal }) => request<Ranking>('GET', apiPaths.sharedRanking(token), { signal }),
  })
}

/** The checkpoints of a course, in its order. */
export function checkpointsQuery(eventId: string) {
  return queryOptions({
    queryKey: queryKeys.checkpoints(eventId),
    queryFn: async ({ signal }) =>
      (await request<CheckpointList>('GET', apiPaths.checkpoints(eventId), { signal })).checkpoints,
  })
}

/** The start list of an event. */
export function runnersQuery(eventId: string) {
  return queryOptions({
    queryKey: queryKeys.runners(eventId),
    queryFn: async ({ signal }) => (await request<RunnerList>('GET', apiPaths.runners(eventId), { signal })).runners,
  })
}

/** Sets the course from a GPX file. */
export function putCourse(eventId: string, gpx: Blob): Promise<Course> {
  return request('PUT', apiPaths.course(eventId), { file: { type: 'application/gpx+xml', content: gpx } })
}

/** Removes the course with its checkpoints. */
export function deleteCourse(eventId: string): Promise<void> {
  return request('DELETE', apiPaths.course(eventId))
}

/** Replaces all checkpoints. */
export async function putCheckpoints(eventId: string, body: CheckpointsUpdate): Promise<Checkpoint[]> {
  return (await request<CheckpointList>('PUT', apiPaths.checkpoints(eventId), { body })).checkpoints
}

/** Sets or removes the common start. */
export function changeRace(eventId: string, body: RaceUpdate): Promise<Race> {
  return request('PATCH', apiPaths.race(eventId), { body })
}

/** Reads a start list as CSV without storing it. A 400 names each wrong line. */
export async function checkRunners(eventId: string, csv: string): Promise<Runner[]> {
  const path = withQuery(apiPaths.runners(eventId), { check: 'true' })
  return (await request<RunnerList>('PUT', path, { file: { type: 'text/csv', content: csv } })).runners
}

/** Replaces the start list by one in CSV. */
export async function putRunners(eventId: string, csv: string): Promise<Runner[]> {
  const file = { type: 'text/csv', content: csv }
  return (await request<RunnerList>('PUT', apiPaths.runners(eventId), { file })).runners
}

/** Takes a runner out of the ranking, or back into it. */
export function changeRunner(eventId: string, userId: string, body: RunnerStatusUpdate): Promise<Runner> {
  return request('PATCH', apiPaths.runners(eventId), { body: { user_id: userId, ...body } })
}

async function orNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (hasStatus(error, 404)) return null
    throw error
  }
}
