// The scheduler: runs tasks in the order of their ranks as soon as nothing holds them back. Tasks run on one
// thread, the one that calls run(); the calls of providers that take time are handed to others, at most so many at
// once.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <queue>
#include <span>
#include <thread>
#include <vector>

namespace pravo::runtime {

using TaskId = uint32_t;
using EventId = uint32_t;  // something that happens once, and that tasks wait for
inline constexpr EventId kNoEvent = UINT32_MAX;

class TaskRunner {
 public:
  virtual ~TaskRunner() = default;
  // Runs a task that is ready. It may ask to be run again later (Scheduler::wait), hand work to another thread
  // (Scheduler::offload), or be done when this returns.
  virtual void run_task(TaskId task) = 0;
};

class Scheduler {
 public:
  Scheduler(TaskRunner& runner, unsigned parallelism);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // A task is ready unless it is held: then release() must be called once for each hold.
  TaskId add_task(uint32_t rank, uint32_t holds = 0);
  void release(TaskId task);

  EventId new_event();
  void signal(EventId event);
  bool signaled(EventId event) const { return events_[event].signaled; }
  // Runs the task again when all of the events have happened.
  void wait(TaskId task, std::span<const EventId> events);

  // Runs `work` on another thread, then `finish` on this one. The task counts as running meanwhile.
  void offload(std::function<void()> work, std::function<void()> finish);

  // Until no task is ready and no work is under way.
  void run();
  // Called now and then while run() waits for work, so that others get their turn (progress, checkpoints).
  void on_idle(std::function<void()> idle) { idle_ = std::move(idle); }

  // Tasks that never became ready: they wait for each other.
  std::vector<TaskId> stuck() const;
  size_t task_count() const { return tasks_.size(); }

 private:
  struct Task {
    uint32_t rank = 0;
    uint32_t holds = 0;
    bool ran = false;  // the last time it was ready
  };
  struct Event {
    bool signaled = false;
    std::vector<TaskId> waiters;
  };
  struct Work {
    std::function<void()> work;
    std::function<void()> finish;
  };
  void make_ready(TaskId task);
  void work_loop();

  TaskRunner& runner_;
  unsigned parallelism_;
  std::vector<Task> tasks_;
  std::vector<Event> events_;
  // By rank, then by the order of becoming ready.
  using Ready = std::pair<std::pair<uint32_t, uint32_t>, TaskId>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
  uint32_t sequence_ = 0;
  std::function<void()> idle_;

  std::mutex mutex_;
  std::condition_variable work_there_;
  std::condition_variable work_done_;
  std::deque<Work> queue_;
  std::deque<std::function<void()>> finished_;
  size_t under_way_ = 0;  // queued, running or finished but not yet taken; used by this thread alone
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace pravo::runtime
