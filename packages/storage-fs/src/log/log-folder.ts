import path from 'node:path';
import type { FileSystem } from '../files/file-system.ts';
import { fromSafePath } from '../files/safe-name.ts';

/** A topic and the folder of its segments. */
export interface TopicFolder {
  readonly topic: string;
  readonly directory: string;
}

/** The folder of the topics in a log's. */
export function topicsFolder(directory: string): string {
  return path.join(directory, 'topics');
}

/** The topics of a log by their folders; what is no topic is passed over. */
export async function listTopics(topicsDirectory: string, fs: FileSystem): Promise<TopicFolder[]> {
  return (await fs.list(topicsDirectory)).flatMap(({ name, isDirectory }) => {
    const topic = isDirectory ? fromSafePath(name) : undefined;
    return topic === undefined ? [] : [{ topic, directory: path.join(topicsDirectory, name) }];
  });
}
